/* tile.h - a header of tile.cu, which is found beside tile.cu, or in memory. */
#define FIRST(block, thread) (((int)(block)*32 + (int)(thread)) * TILE)

/* tile.h - included by tile.cu: found beside it, or in memory. */
#define FIRST(block, thread) (((int)(block)*32 + (int)(thread)) * TILE)

/* gnuplot.c - see gnuplot.h */
#include "gnuplot.h"
#include "escape.h"
#include "library.h"
#include "shown.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *end) {
    return strlen(text) >= strlen(end) && !strcmp(text + strlen(text) - strlen(end), end);
}
int append_terminal(autotune__text *out, const char *path) {
    if (!path) {
        struct winsize size = {.ws_col = 0};
        const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 && size.ws_row > 10;
        append(out, "set terminal dumb noenhanced size %d,%d\n", known ? size.ws_col - 1 : 79,
               known ? size.ws_row - 2 : 24);
        return DONE;
    }
    if (ends_with(path, ".svg"))
        append(out, "set terminal svg noenhanced size 1000,600 background 'white'\n");
    else if (ends_with(path, ".png"))
        append(out, "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) set terminal pngcairo noenhanced size 1000,600\n"
                    "if (!strstrt(GPVAL_TERMINALS, 'pngcairo')) set terminal png noenhanced size 1000,600\n");
    else
        return fail(NOT_DONE, "%s: the name of a plot ends with .png or .svg", shown(path));
    append(out, "set output ");
    append_gnuplot(out, path);
    append(out, "\n");
    return DONE;
}

int run_gnuplot(const autotune__text *script) {
    int ends[2], status;
    if (pipe(ends) != 0) return fail(NOT_DONE, "gnuplot: %s", strerror(errno));
    const pid_t child = fork();
    if (child < 0) return fail(NOT_DONE, "gnuplot: %s", strerror(errno));
    if (child == 0) {
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        setenv("LC_ALL", "C.UTF-8", 1); /* the encoding of the script */
        execlp("gnuplot", "gnuplot", "-", (char *)NULL);
        _exit(errno == ENOENT ? 127 : 126);
    }
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN); /* gnuplot may have ended: its status says so */
    write_to_end(ends[1], script->at, COUNT(script->at));
    close(ends[1]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return DONE;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return fail(NOT_DONE, "plot needs gnuplot, which is not installed; 'autotune show' draws bars without it");
    return fail(NOT_DONE, "gnuplot failed");
}

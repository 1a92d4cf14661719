/* Stands in for tesseract and pdftoppm: tries what a program must not do, and writes down what it could do, as the text of
   the page. The second page of a PDF, and a picture with a line "hang", hang. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;
static FILE *page;
static int words;

/* A word of the table that tesseract writes. */
static void say(const char *who, const char *what) {
    fprintf(page, "5\t1\t1\t1\t1\t%d\t0\t0\t9\t9\t95\t%s:%s\n", ++words, who, what);
}

static void try(const char *who, const char *what, long result) {
    if (result >= 0 || errno != EPERM) {
        say(who, what);
    }
}

static void attempt(const char *who) {
    pid_t reader = getppid();
    struct rlimit limit;
    say(who, "ran");
    for (int file = 3; file < 32; file++) {
        if (file != fileno(page) && fcntl(file, F_GETFD) >= 0) say(who, "inherited-file");
    }
    try(who, "kill", kill(reader, 0));
    try(who, "tkill", syscall(SYS_tkill, reader, 0));
    try(who, "tgkill", syscall(SYS_tgkill, reader, reader, 0));
    try(who, "pidfd_send_signal", syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, reader, 0), 0, NULL, 0));
    try(who, "prlimit", prlimit(reader, RLIMIT_CPU, NULL, &limit));
    try(who, "setpriority", setpriority(PRIO_PROCESS, reader, 19));
    try(who, "socket", socket(AF_INET, SOCK_DGRAM, 0));
    try(who, "x32", syscall(0x40000000 | SYS_getpid));
    try(who, "truncate", truncate("/nowhere", 0));
    try(who, "chmod", chmod("/nowhere", 0777));
    if (open("/etc/passwd", O_RDONLY) >= 0) say(who, "open");
    if (access("/proc/self/environ", R_OK) == 0 && open("/proc/self/environ", O_RDONLY) >= 0) say(who, "proc");
    if (getrlimit(RLIMIT_CPU, &limit) != 0) say(who, "own-limits-are-refused");
    for (char **variable = environ; *variable; variable++) {
        char name[64] = "";
        strncpy(name, *variable, sizeof name - 1);
        *strchrnul(name, '=') = 0;
        if (strcmp(name, "PATH") && strcmp(name, "LC_ALL") && strcmp(name, "OMP_THREAD_LIMIT")) say(who, name);
    }
}

int main(int count, char **arguments) {
    char path[4096], line[4096];
    if (count > 1 && !strcmp(arguments[1], "--list-langs")) {
        puts("eng");
        return 0;
    }
    int renders = count > 2 && !strcmp(arguments[1], "-f");
    if (renders && !strcmp(arguments[2], "2")) pause();
    snprintf(path, sizeof path, renders ? "%s.pgm" : "%s.tsv", arguments[renders ? count - 1 : 2]);
    page = fopen(path, "w");
    if (!page) return 1;
    if (!renders) {
        FILE *picture = fopen(arguments[1], "r");
        while (picture && fgets(line, sizeof line, picture)) {
            if (!strncmp(line, "hang", 4)) pause();
            if (strchr(line, '\t')) fputs(line, page);
        }
        if (picture) fclose(picture);
    }
    attempt(renders ? "pdftoppm" : "tesseract");
    return fclose(page);
}

static int check(char **arguments) {
    int status;
    faults_to = stdout;
    status = *arguments ? read_files(arguments) : read_named();
    if (status == NOT_DONE && !inputs) return status;
    for (size_t i = 0; i < stbds_arrlenu(inputs); i++) {
        size_t dead = 0;
        for (size_t line = 0; line < COUNT(autotune__cache.lines); line++)
            dead += autotune__cache.lines[line].source == i + 1 && autotune__cache.lines[line].dead;
        printf("%s: records %zu, replaced by later ones %zu, unsound lines %zu\n", inputs[i].name, inputs[i].sound, dead,
               inputs[i].unsound);
    }
    if (!*arguments) read_journals(arguments);
    for (size_t i = 0; i < COUNT(crashes); i++)
        printf("%s: %s %s %s: did not come back from its first launch, %zu time%s, last %s\n", shown(autotune__cache.journals),
               crashes[i].tuner, crashes[i].key, crashes[i].config, crashes[i].times, crashes[i].times == 1 ? "" : "s", crashes[i].date);
    return status;
}

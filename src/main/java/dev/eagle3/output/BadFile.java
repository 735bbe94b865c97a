package dev.eagle3.output;

/**
 * A file that is to go into quarantine.
 *
 * @param name its path below the folder that all of them are in
 * @param bytes its size when it was found bad; one of another size is left alone
 * @param why what is wrong with it, in short
 */
public record BadFile(String name, long bytes, String why) {}

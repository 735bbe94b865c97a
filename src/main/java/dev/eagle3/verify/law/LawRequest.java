package dev.eagle3.verify.law;

import java.util.Optional;

/**
 * That saved samples are to be tested against the laws.
 *
 * @param modelFolder the model that their states come from, on the machine of the files; empty to
 *     test only what needs no model
 */
public record LawRequest(Optional<String> modelFolder) {}

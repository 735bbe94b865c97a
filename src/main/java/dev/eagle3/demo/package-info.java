/** The whole flow on a loopback host with a stand-in extractor. */
@NullMarked
package dev.eagle3.demo;

import org.jspecify.annotations.NullMarked;

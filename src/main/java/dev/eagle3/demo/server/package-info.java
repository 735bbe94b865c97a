/** The loopback host of the demo: the server half of Apache MINA SSHD. */
@NullMarked
package dev.eagle3.demo.server;

import org.jspecify.annotations.NullMarked;

/** A host reached over SSH: the client half of Apache MINA SSHD. */
@NullMarked
package dev.eagle3.host.ssh;

import org.jspecify.annotations.NullMarked;

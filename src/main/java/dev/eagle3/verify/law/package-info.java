/** What must hold between the values of saved samples, whatever the model. */
@NullMarked
package dev.eagle3.verify.law;

import org.jspecify.annotations.NullMarked;

package dev.eagle3.host.ssh;

import java.util.function.Supplier;
import org.apache.sshd.common.AttributeRepository.AttributeKey;

/**
 * One login under way, kept with its session, where the ways to log in find it.
 *
 * @param who {@code root@gpu7}, for questions
 * @param options what ssh_config says
 * @param asker asks the user
 * @param report gets what happens
 * @param keys the keys to offer, in their order; asked for when the server takes keys
 */
record Login(
    String who,
    LoginOptions options,
    LoginAsker asker,
    LoginReport report,
    Supplier<LoginKeys.Order> keys) {
  static final AttributeKey<Login> KEY = new AttributeKey<>();
}

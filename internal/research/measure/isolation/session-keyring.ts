// The words that give a measured command without a sandbox its own session keyring, because a candidate could
// store answers in the user's keyring.
import { accessSync, constants } from 'node:fs'

/** Number of the system call `keyctl` by architecture. */
const keyctlNumbers: Readonly<Record<string, number>> = { x64: 250, arm64: 219 }

/**
 * Script that joins a new keyring. If the system refuses the call, the command cannot use keyrings either;
 * any other failure ends the command.
 */
const joinScript =
  'my $n = shift; syscall($n + 0, 1, 0) < 0 and $! != 1 and $! != 38 and die "no session keyring: $!\\n"; ' +
  'exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n"'

/**
 * Returns the words before a command that give it a new session keyring. Returns no words on a system other
 * than Linux, which has no keyrings, and undefined if neither Perl nor keyctl can be used.
 */
export function sessionKeyringWords(): readonly string[] | undefined {
  const number = keyctlNumbers[process.arch]
  if (process.platform !== 'linux') return []
  // Perl is preferred, because keyctl writes a line to standard error that would count as output
  // of the benchmark.
  if (number !== undefined && isProgram('/usr/bin/perl'))
    return ['/usr/bin/perl', '-e', joinScript, '--', String(number)]
  const keyctl = ['/usr/bin/keyctl', '/bin/keyctl'].find(isProgram)
  return keyctl === undefined ? undefined : [keyctl, 'session', '-']
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

// Shell scripts of an isolated execution: they mount directories, run the command, and end the processes
// that it leaves.

/**
 * Number of the system call `getrusage` on 64-bit Linux, by architecture. Its result begins with seconds and
 * microseconds of user and of system time, then the largest memory in KiB.
 */
const usageCall: Partial<Record<string, number>> = { x64: 98, arm64: 165, riscv64: 165, loong64: 165 }

/**
 * Returns a script that adds the processor time in microseconds and the memory of the largest process in KiB
 * to the report, and exits with the status of the command. `times` of the shell truncates user and system
 * time to milliseconds each, which for a command of 50 ms is more than its own noise. Usage of child
 * processes is still known after `exec`. The path of perl is searched without a subshell, whose time would
 * count. Without perl, or on an architecture that `usageCall` lacks, the report has no such line.
 */
const reportUsage = (call: number | undefined) =>
  call === undefined
    ? ''
    : `for perl in /usr/bin/perl /bin/perl; do
  [ ! -x "$perl" ] || exec "$perl" -e '
my $usage = "\\0" x 256;
if (syscall(${call}, -1, $usage) == 0) {
  my ($user, $user_us, $system, $system_us, $memory) = unpack("q5", $usage);
  print 1e6 * ($user + $system) + $user_us + $system_us, " $memory\\n";
}
close STDOUT; exit shift' "$status" >>/tmp/report
done
`

/**
 * Returns a script that runs the command words in `run`, then counts and ends the processes that they left.
 * `ownCount` is the number of processes that always exist there and are not counted. The report contains the
 * count, the start and end times, and the processor time.
 */
const runAndReap = (run: string, ownCount: number) => `set +e
exec 2>/dev/null
begun=$EPOCHREALTIME
"\${pin[@]}" ${run} 2>&9 9>&-
status=$? ended=$EPOCHREALTIME
left=0
for pause in 0.001 0.002 0.005 0.01 0; do
  others=(/proc/[0-9]*)
  left=$((\${#others[@]} - ${ownCount}))
  [ "$left" != 0 ] && [ "$pause" != 0 ] || break
  sleep "$pause"
done
while kill -KILL -1; do sleep 0.002; done
[ ! -e /tmp/report ] && [ ! -L /tmp/report ] || rm -rf /tmp/report
{ echo "$left $begun $ended"; times; } >/tmp/report
${reportUsage(usageCall[process.arch])}exit "$status"
`

/**
 * Script in a sandbox, which has already mounted everything and has its own process 1. Arguments: processors
 * to run on (empty: unchanged), the command. Descriptor 4 is passed on as 3 if it is open.
 */
export const sandboxedScript = `set -u
cpus=$1 command=$2
exec 9>&2
pin=()
[ -z "$cpus" ] || pin=(taskset -c "$cpus")
if { : >&4; } 2>/dev/null; then exec 3>&4 4>&-; fi
${runAndReap('bash -c "$command"', 2)}`

/**
 * Script of an isolated execution without a sandbox. Arguments: the execution's directory, the working
 * directory, processors to run on (empty: unchanged), the command. The directory contains the tables of the
 * mounts before (`inner`) and after (`outer`) everything becomes read-only. The script runs in new user,
 * mount, PID and IPC namespaces, with all capabilities in them. Everything is read-only except the checkout
 * and new, empty directories at /tmp, /var/tmp and /dev/shm. One start of `mount` makes every existing mount
 * read-only and keeps its options. It would skip an entry for `/`, so that is written `/.`. If another
 * program unmounts a mount and removes its directory, the mount disappears here too. After such a failure the
 * script starts again with a new list. By then only `own` is writable. The `outer` mounts follow. The report
 * is written to `report` after the execution's processes have ended, so none of them can write it.
 */
export const isolationScript = `set -eu
folder=$1 cwd=$2 cpus=$3 command=$4
own=$folder/own table=$folder/sealed
exec 9>&2
mount --all --fstab "$folder/inner"
for try in 1 2 3 4 5 6 7 8; do
  mapfile -t mounts </proc/self/mountinfo
  for mounted in "\${mounts[@]}"; do
    read -r _ _ _ _ place options _ <<<"$mounted"
    printf -v path %b "\${place//\\\\/\\\\0}"
    case $path in
    /) place=/. ;;
    "$own" | "$own/anode/checkout") continue ;;
    esac
    printf 'none %s none remount,bind,%s,ro 0 0\\n' "\${place//#/\\\\043}" "$options"
  done >"$table"
  if why=$(mount --all --fstab "$table" 2>&1); then break; fi
  [ "$try" != 8 ] || { echo "$why" >&2; exit 1; }
  table=$own/sealed
done
[ "$table" = "$folder/sealed" ] || rm "$table"
mount --all --fstab "$folder/outer"
if [ "$UID" = 0 ]; then
  for place in /proc/sys /proc/sysrq-trigger; do [ ! -e "$place" ] || mount -o bind,ro "$place" "$place"; done
fi
cd "$cwd"
unset OLDPWD
pin=()
[ -z "$cpus" ] || pin=(taskset -c "$cpus")
${runAndReap(
  `setpriv --ambient-caps=-all --inh-caps=-all --bounding-set=-all --no-new-privs \\
bash -c "$command"`,
  1,
)}`

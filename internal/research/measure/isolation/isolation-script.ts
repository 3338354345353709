// The shell scripts around an isolated execution: mounts, the command, what outlived it.

/**
 * Runs the command words in `run`, then ends and counts what outlived it; `own` processes are not its. The
 * report that follows has their number, the times of start and end, and the processor time.
 */
const runAndReap = (run: string, own: number) => `set +e
exec 2>/dev/null
begun=$EPOCHREALTIME
"\${pin[@]}" ${run} 2>&9 9>&-
status=$? ended=$EPOCHREALTIME
left=0
for pause in 0.001 0.002 0.005 0.01 0; do
  others=(/proc/[0-9]*)
  left=$((\${#others[@]} - ${own}))
  [ "$left" != 0 ] && [ "$pause" != 0 ] || break
  sleep "$pause"
done
while kill -KILL -1; do sleep 0.002; done
[ ! -e /tmp/report ] && [ ! -L /tmp/report ] || rm -rf /tmp/report
{ echo "$left $begun $ended"; times; } >/tmp/report
exit "$status"
`

/**
 * Behind a wall, where everything is mounted already and process 1 is the wall's. Arguments: processors to
 * run on (empty: as they are), the command. Descriptor 4 is handed on as 3 where it is open.
 */
export const sandboxedScript = `set -u
cpus=$1 command=$2
exec 9>&2
pin=()
[ -z "$cpus" ] || pin=(taskset -c "$cpus")
if { : >&4; } 2>/dev/null; then exec 3>&4 4>&-; fi
${runAndReap('bash -c "$command"', 2)}`

/**
 * Arguments: the execution's folder with the tables of what is mounted before everything becomes read-only
 * (`inner`) and after (`outer`), the directory to work in, processors to run on (empty: as they are), the
 * command. Runs in new user, mount, PID and IPC namespaces, with all capabilities in them.
 *
 * Everything is read-only but the checkout and what lies in /tmp, /var/tmp and /dev/shm, which nobody has
 * seen before. One start of `mount` seals every place there is, with the options it has (an entry for `/` it
 * would pass over, so that is written `/.`). If that fails, it starts again with a new list: where another
 * program unmounts a place and removes its directory, the place vanishes here too. By then only `own` takes
 * a file. What comes on top is mounted after that. The report on the execution is written to `report` once
 * its processes are gone, so that none of them can write it.
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

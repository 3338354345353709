// The shell script of process 1 in an isolated execution: mounts, the command, what outlived it.

/**
 * Arguments: the execution's folder with the tables of what is mounted before everything becomes read-only
 * (`inner`) and after (`outer`), the directory to work in, processors to run on (empty: as they are), the
 * command. Runs in new user, mount, PID and IPC namespaces, with all capabilities in them.
 *
 * Everything is read-only but the checkout and what lies in /tmp, /var/tmp and /dev/shm, which nobody has
 * seen before. The number of processes that outlived the command is written to `report` once they are gone,
 * so that no one else can.
 */
export const isolationScript = `set -eu
folder=$1 cwd=$2 cpus=$3 command=$4
own=$folder/own
exec 9>&2
mount --all --fstab "$folder/inner"
mount --all -o remount,bind,ro
mount -o remount,bind,rw "$own"
mount -o remount,bind,rw "$own/anode/checkout"
mount --all --fstab "$folder/outer"
if [ "$UID" = 0 ]; then
  for place in /proc/sys /proc/sysrq-trigger; do [ ! -e "$place" ] || mount -o bind,ro "$place" "$place"; done
fi
cd "$cwd"
unset OLDPWD
pin=()
[ -z "$cpus" ] || pin=(taskset -c "$cpus")
set +e
exec 2>/dev/null
"\${pin[@]}" setpriv --ambient-caps=-all --inh-caps=-all --bounding-set=-all --no-new-privs \
bash -c "$command" 2>&9 9>&-
status=$?
left=0
for pause in 0.001 0.002 0.005 0.01 0; do
  others=(/proc/[0-9]*)
  left=$((\${#others[@]} - 1))
  [ "$left" != 0 ] && [ "$pause" != 0 ] || break
  sleep "$pause"
done
while kill -KILL -1; do sleep 0.002; done
[ ! -e /tmp/report ] && [ ! -L /tmp/report ] || rm -rf /tmp/report
[ "$left" = 0 ] || echo "$left" >/tmp/report
exit "$status"
`

// Programs that mostly read, with the options and operands of their manual pages, harmless or not, as data.

/** Kinds of value: file, text, pattern, number, key (`n` fields such as 1,3), code in the program's own language, `d` words of dd or git. */
export type ValueKind = 'f' | 't' | 'p' | 'n' | 'k' | 'c' | 'd'

export interface ProgramOption {
  name: string
  value: ValueKind | undefined
}

export interface Program {
  name: string
  /** One letter per operand; the last one may come up to three times, and any may be missing. */
  operands: readonly ValueKind[]
  options: readonly ProgramOption[]
}

/** One program per line: name, operands, options; `-x:k` takes a value, attached or not, `--name=k` likewise. */
const readers = `
ls | f | -a -A -b -B -c -C -d -f -F -g -G -h -H -i -I:t -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -T:n -u -U -v -w:n -x -X -Z -1 --all --color=t --recursive --sort=t --time=t --format=t --full-time --hide=t --ignore=t --hyperlink --block-size=n --group-directories-first --time-style=t --width=n --dereference --zero
cat | f | -A -b -e -E -n -s -t -T -u -v --number --show-all --show-ends --squeeze-blank
tac | f | -b -r -s:t --separator=t --before --regex
nl | f | -b:t -d:t -f:t -h:t -i:n -l:n -n:t -p -s:t -v:n -w:n --body-numbering=t --number-format=t
rev | f |
head | f | -c:n -n:n -q -v -z -5 --bytes=n --lines=n --quiet --verbose
tail | f | -c:n -n:n -q -v -z -5 +2 -F --bytes=n --lines=n --quiet --pid=n --retry --sleep-interval=n
wc | f | -c -l -m -w -L --bytes --lines --words --files0-from=f --total=t
grep | pf | -a -A:n -b -B:n -c -C:n -D:t -d:t -e:p -E -f:f -F -G -h -H -i -I -l -L -m:n -n -o -P -q -r -R -s -T -u -U -v -w -x -y -z -Z --color=t --include=t --exclude=t --exclude-dir=t --exclude-from=f --file=f --regexp=p --recursive --dereference-recursive --binary-files=t --label=t --only-matching --max-count=n --devices=t --directories=t --line-buffered --null --count --quiet
egrep | pf | -i -n -c -v -e:p -f:f -r -l -o
fgrep | pf | -i -n -c -v -e:p -f:f -r -l -x
rg | pf | -n -i -I -l -c -v -w -F -s -S -N -H -A:n -B:n -C:n -g:t -t:t -T:t -m:n -x -q -a -b -P -j:n -r:t -e:p -M:n -f:f -L -u -uu -z -E:t -d:n -o -p -0 --pre=c --pre-glob=t --hostname-bin=c --search-zip --hidden --no-ignore --follow --files --file=f --ignore-file=f --glob=t --iglob=t --type-add=t --type=t --type-list --sort=t --stats --json --replace=t --hyperlink-format=t --max-depth=n --count --passthru --heading --trim --pcre2 --multiline --unrestricted --colors=t --path-separator=t --debug --trace --no-config --one-file-system --regexp=p --engine=t --max-filesize=t --context-separator=t --generate=t
tree | f | -a -d -f -L:n -I:t -P:t -o:f -R -H:t -h -D -C -F -u -i -p -g -Q -r -t -U -J -X --dirsfirst --noreport --fromfile --prune --filelimit=n --output=f --gitignore --gitfile=f --infofile=f --charset=t --timefmt=t
stat | f | -c:t -f -t -L -x --format=t --printf=t --terse --dereference --cached=t --file-system
file | f | -b -i -k -L -N -p -r -s -z -Z -m:f -f:f -C -F:t -P:t -S -e:t -c -d -h -n -0 --brief --mime --mime-type --magic-file=f --files-from=f --compile --uncompress --parameter=t --exclude=t
du | f | -a -h -s -c -k -m -d:n -x -b -B:n -D -H -L -X:f -t:n --files0-from=f --max-depth=n --exclude=t --exclude-from=f --time=t --time-style=t --summarize --apparent-size --threshold=n --inodes
df | f | -a -h -H -k -m -P -T -i -l -t:t -x:t --output=t --total --sync --human-readable --type=t
realpath | f | -e -m -s -q -z -L -P --relative-to=f --relative-base=f
readlink | f | -f -e -m -n -q -s -v -z
basename | ft | -a -s:t -z --suffix=t --multiple
dirname | f | -z --zero
cut | f | -b:k -c:k -d:t -f:k -n -s -z --delimiter=t --fields=k --bytes=k --characters=k --complement --output-delimiter=t --only-delimited
tr | tt | -c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1
sort | f | -b -d -f -g -h -i -k:k -m -M -n -o:f -r -R -s -S:n -t:t -T:f -u -V -c -C -z --output=f --compress-program=c --files0-from=f --random-source=f --temporary-directory=f --batch-size=n --key=k --unique --reverse --parallel=n --buffer-size=n --debug --check=t --sort=t --field-separator=t
uniq | ff | -c -d -D -f:n -i -s:n -u -w:n -z --count --repeated --group=t --all-repeated=t
column | f | -t -s:t -c:n -x -n -N:t -o:t -J -R:t -H:t -l:n -W:t -r:t --table --json --table-name=t --output-separator=t
paste | f | -d:t -s -z --delimiters=t --serial
join | ff | -a:n -e:t -i -j:n -o:t -t:t -v:n -1:n -2:n -z --header --check-order --nocheck-order
comm | ff | -1 -2 -3 -z --check-order --output-delimiter=t --total
fold | f | -b -s -w:n
fmt | f | -c -s -t -u -w:n -p:t -g:n --width=n --prefix=t
expand | f | -i -t:n --tabs=n
unexpand | f | -a -t:n --first-only
od | f | -A:t -a -b -c -d -f -i -j:n -l -N:n -o -s -S:n -t:t -v -w:n -x --traditional --format=t --strings=n --skip-bytes=n
hexdump | f | -b -c -C -d -e:t -f:f -n:n -o -s:n -v -x
xxd | ff | -a -b -c:n -C -e -E -g:n -h -i -l:n -n:t -o:n -p -r -R:t -s:n -u -v -ps
strings | f | -a -f -n:n -o -t:t -e:t -d -s:t -T:t -w --target=t --all --plugin=f
cmp | ff | -b -i:n -l -n:n -s --print-bytes --ignore-initial=n
diff | ff | -a -b -B -c -C:n -d -D:t -e -E -f -F:p -H -i -I:p -l -L:t -n -N -p -q -r -s -S:f -t -T -u -U:n -w -W:n -x:t -X:f -y -Z --from-file=f --to-file=f --exclude-from=f --color=t --palette=t --new-line-format=t --line-format=t --GTYPE-group-format=t --changed-group-format=t --unified=n --brief --label=t --recursive --new-file --no-dereference --paginate --side-by-side --speed-large-files
sha1sum | f | -b -c -t -z --check --tag --zero --ignore-missing --quiet --status --warn
sha256sum | f | -b -c -t -z --check --tag --text --strict
md5sum | f | -b -c -t -z --check --binary
b2sum | f | -b -c -t -l:n --check --length=n
cksum | f | -a:t -c -l:n -z --algorithm=t --check --raw --base64 --debug --untagged
jq | cf | -c -C -e -M -j -r -a -s -S -R -n -f:f -L:f --arg=t --argjson=t --slurpfile=f --rawfile=f --args --jsonargs --tab --indent=n --seq --stream --from-file=f --raw-output --compact-output --null-input --slurp --sort-keys --exit-status --raw-input --unbuffered --library-path=f --debug-dump-disasm --debug-trace --build-configuration --raw-output0 --ascii-output
sed | cf | -n -r -E -s -u -z -e:c -f:f -i -i:t -l:n --quiet --silent --expression=c --file=f --in-place=t --regexp-extended --separate --null-data --posix --sandbox --debug --follow-symlinks --line-length=n --unbuffered --binary
awk | cf | -F:t -v:t -f:f -e:c -W:t -S -O -P -i:f -l:f -E:f -d:f -p:f -o:f -D:f -b -c -h -n -N -r -s -t -V --version --field-separator=t --assign=t --file=f --source=c --include=f --load=f --exec=f --dump-variables=f --profile=f --pretty-print=f --debug=f --sandbox --lint --posix --re-interval --traditional
gawk | cf | -F:t -v:t -f:f -e:c -S -i:f -l:f -o:f -p:f -d:f --field-separator=t --assign=t --profile=f --sandbox
mawk | cf | -F:t -v:t -f:f -W:t
find | fc | -H -L -P -D:t -O1 -O3
fd | pf | -H -I -s -i -g -a -l -t:t -e:t -d:n -p -F -0 -x:c -X:c -u -L -E:t -c:t -S:t --exec=c --exec-batch=c --hidden --no-ignore --glob --type=t --extension=t --max-depth=n --format=t --base-directory=f --search-path=f --ignore-file=f --changed-within=t --color=t
pwd | | -L -P
echo | t | -n -e -E -ne
printf | tt | -v:t --
true | t |
false | t |
: | t |
sleep | n | --version
seq | nn | -f:t -s:t -w --format=t --separator=t --equal-width
expr | ttt |
date | t | -u -R -I -d:t -f:f -r:f -s:t -Iseconds --utc --iso-8601=t --rfc-3339=t --date=t --file=f --reference=f --set=t --debug --universal --resolution
cal | n | -1 -3 -m -y -j
uname | | -a -s -n -r -v -m -p -i -o --all
arch | |
nproc | | --all --ignore=n
uptime | | -p -s
whoami | |
id | t | -u -g -G -n -r -z -Z
groups | t |
hostname | t | -s -f -i -d -F:f -b --file=f --fqdn
tty | | -s
which | t | -a
type | t | -a -p -t -P -f
command | t | -v -V -p
hash | t | -r -t -l -d -p:f
test | ttt | -f -n -e -v:t -R:t -o:t -t:n -nt -ef
cd | f | -L -P -e -@
set | t | -e -u -x -o:t -- -f -a -k -eu -euo
wait | t | -n -p:t -f
exit | n |
getconf | t | -a
locale | t | -a -m -c -k
ps | t | -e -f -a -u -x -o:t -p:n --forest --sort=t
pgrep | p | -f -l -a -F:f -u:t
env | t | -0 -i -u:t -S:t -C:f --
printenv | t | -0
lsof | f | -p:n -i -n
look | tf | -a -d -f -t:t
tsort | f | 
nm | f | -a -C -D -g --plugin=f
size | f | -A -B
objdump | f | -d -h -x -s
readelf | f | -a -h -S
zcat | f | -f
xargs | t | -0 -n:n -I:t -P:n -r -t -a:f -L:n -d:t
tee | f | -a -i -p
split | ft | -b:n -l:n -n:t -a:n -d --filter=c
csplit | ft | -k -f:t -n:n -s
numfmt | t | --to=t --from=t --field=k --format=t --invalid=t
pr | f | -t -w:n -l:n -h:t -d -m
ptx | f | -w:n -A -o:f
shuf | f | -e -n:n -i:t -o:f -r -z --random-source=f --output=f
factor | n |
base64 | f | -d -w:n -i
base32 | f | -d -w:n
tail | f | -f --follow=t
less | f | -F -N -S
more | f | -d
man | t | -P:c -k
dd | t |
tar | f | -t -v -f:f -x -c -z -C:f -O -I:c --to-command=c --checkpoint-action=c --wildcards
unzip | f | -l -p -Z
cpio | f | -t -i -v
busybox | tf | --list
pathchk | t | -p -P
vmstat | | -s -m
free | | -h -m -s:n
lscpu | | -J -e
users | f |
who | f | -a -b -m
logname | |
stdbuf | tt | -o:t -i:t
timeout | ntf | -k:n -s:t
nice | tf | -n:n
nohup | tf |
time | tf | -p
`

/** Programs that write, in the same form. */
const changers = `
cp | ff | -r -R -a -f -l -s -p -u -T -b -S:t -t:f --target-directory=f --parents --suffix=t --backup=t --link --symbolic-link --no-target-directory
mv | ff | -f -n -b -S:t -t:f -T --target-directory=f --suffix=t --backup=t
ln | ff | -s -f -n -r -t:f -T -b -S:t --target-directory=f --symbolic
install | ff | -m:t -d -D -t:f -b -S:t --mode=t --target-directory=f --backup
touch | f | -a -c -d:t -r:f -m -t:n --reference=f
mkdir | f | -p -m:t
rm | f | -f -r -d
rmdir | f | -p
chmod | tf | -R --reference=f
truncate | f | -s:n -r:f -c
tee | f | -a -p
dd | d | 
sed -i | cf | -e:c -n -s -E
sort | f | -o:f -u -T:f --output=f
split | ft | -b:n -l:n -n:n -a:n -d --additional-suffix=t
csplit | fp | -f:t -k -n:n
patch | ff | -p:n -i:f -o:f -R -d:f -b -z:t -r:f
rsync | ff | -a -r -b --backup-dir=f --suffix=t --files-from=f
tar | f | -c -x -f:f -C:f -v --transform=t --one-top-level=f --strip-components=n --overwrite --exclude=t
find | fc | -L
git | d | -C:f
xargs | t | -n:n -I:t -a:f
awk | cf | -v:t -F:t
`

const parse = (text: string): Program[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', operands = '', options = ''] = line.split('|').map((part) => part.trim())
      const kinds = [...operands] as ValueKind[]
      return { name, operands: kinds, options: options.split(/\s+/).filter(Boolean).map(readOption) }
    })

export const programs: readonly Program[] = parse(readers)
export const writers: readonly Program[] = parse(changers)

function readOption(option: string): ProgramOption {
  const [, name = option, value] = /^(-{1,2}[^:=]+)[:=](\w)$/.exec(option) ?? []
  return { name, value: value as ValueKind | undefined }
}

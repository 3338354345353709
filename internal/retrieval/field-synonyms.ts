// Synonyms that are common in manuals of programs, and everyday words for them. Each line is a group, and a
// word may be in several groups.

/** The groups of synonyms, one per line. In a search, a synonym counts less than half of the word itself. */
const table = `
max maximum limit cap ceiling bound upper most largest
min minimum least lower smallest floor
limit quota allowance restrict throttle
default preset initial standard builtin
timeout deadline expire expiry expiration
wait block pause sleep delay
wait timeout
delay latency lag
stop close shutdown terminate end halt exit quit
kill terminate abort signal
cancel abort interrupt
start launch begin boot init run spawn
restart reload respawn reboot
retry reattempt repeat backoff
delete remove drop erase purge unlink clear evict
evict eviction expel discard
create make add generate new
change modify edit update alter adjust
set configure specify define assign
setting option configuration parameter preference directive knob
flag switch option argument
disable off deactivate
enable on activate allow
allow permit grant accept
deny forbid refuse reject disallow prohibit block
permission right access privilege authorization
authenticate login auth credential
password secret credential passphrase
key token secret
encrypt cipher tls ssl
certificate cert ca
error failure fault exception problem
fail break crash error
crash die panic abort
warn warning notice
log logging journal record trace
debug verbose trace
send transmit emit publish push
receive accept get consume
request call query
response reply answer
return yield give respond
client caller consumer
server daemon host service backend
connect connection link session
socket port listen
bind listen address
proxy forward gateway
redirect forward location
header field metadata
body payload content
message mail notification
queue buffer backlog
cache memoize store
store save persist keep write
storage disk persistence
load read open fetch import
download fetch retrieve get
upload send put post
save write dump flush
flush sync fsync
snapshot dump backup checkpoint
backup copy export
restore recover import
recovery failover resume
replica slave follower secondary standby
master primary leader main
cluster shard partition node
replicate copy mirror sync
lock mutex exclusive
thread worker process
concurrency parallel simultaneous
parallel concurrent async
asynchronous async background
schedule cron timer interval
interval period frequency often every
memory ram heap
size length bytes large big
width wide column columns
height high tall rows
depth deep nested level
symlink symbolic
count number amount total
duration time long
fast quick speed performance
slow latency
compress gzip zip deflate
encode serialize marshal
decode deserialize parse unmarshal
parse read interpret
validate check verify
check test inspect verify
schema type structure
format layout syntax
file path
folder directory dir
location path place directory
look search find locate check
name identifier id
rename move
list enumerate show
show display print output
print output write
search find lookup query
match pattern glob
filter exclude ignore
skip ignore omit
include add contain
sort order
decide determine judge
precedence priority order
hide mask conceal
code status
prefix start
suffix extension ending
hook callback handler listener
callback handler function
event signal notification
plugin extension addon module
module package library
dependency package requirement
install setup deploy
uninstall remove
upgrade update migrate
version release
deprecated obsolete legacy removed
license licence copyright terms
user account person
group role team
admin administrator root operator
owner author
shell terminal console
command instruction verb
script program
environment env variable
variable var
constant fixed
boolean true false
number integer float
string text
array list
object map dictionary hash
table relation
row record entry
column field
index offset position
transaction atomic commit
rollback undo revert
merge join combine
split divide partition
compare diff
equal same identical
unique distinct
duplicate copy twice
empty blank null none
missing absent lost
required mandatory must
optional
unlimited infinite
support handle provide
safe secure
security safety
vulnerability exploit
public exported
private internal
local
remote
network net
internet web online
url uri address link
domain host
route path endpoint
method verb
test spec
benchmark performance
build compile
target platform
language locale
color colour
analyse analyze
behaviour behavior
documentation docs manual
example sample
purpose goal reason
money cost price
sample point datum
retention retain keep
metric measure
silent silence idle inactive inactivity unresponsive quiet
state status
keep ttl retain retention
rule policy
alert notify
replace override overwrite substitute swap
remember retain keep store
outcome result
task job
lifetime ttl age
newest latest recent last
oldest earliest first
earlier previous prior past recent
hand pass supply
crash panic
shared common
shortest minimum
longest maximum
figure statistic metric
freshly newly new
wrong invalid incorrect malformed
right valid correct
old stale expired outdated
fresh new recent
gap interval pause
contain include hold
ask request prompt
letter character char
part piece segment chunk fragment
group batch bundle
cut truncate trim shorten
guess detect infer recognize
choose select pick
obtain get acquire
free release
refresh renew update
broken corrupt damaged invalid
happen occur
trigger fire invoke
succeed success pass
reach hit exceed
tell report inform notify
average mean
custom own
fallback default
obey honor respect
machine host computer
temporary temp tmp
permanent persistent
automatic implicit
manual explicit
stall hang freeze block
picture image
wipe clear erase
stay remain
wrap enclose surround
throw raise
catch recover handle
`

/** Returns the groups that have at least two words. */
export function listSynonymGroups(): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .filter((words) => words.length > 1)
}

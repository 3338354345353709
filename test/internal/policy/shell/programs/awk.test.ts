// awk programs that only print; what is accepted does nothing else in the awks of this machine.
import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { awkPrints } from '../../../../../internal/policy/shell/programs/awk.ts'
import { choice, rng } from '../../../../support/rng.ts'
import { rounds } from '../../../../support/sample.ts'
import { folder, remove } from '../../policies.ts'

test.each([
  ...[
    '{print $1}',
    'NR==1{print;exit}',
    'NR>5',
    '$3 > 5 {print $1}',
    '/a/',
    '/a\\/b/ {print}',
    'END{print NR}',
    'BEGIN{FS=":"}{print $2}',
  ],
  ...[
    '{s+=$1} END{print s/NR}',
    '{print length($0)}',
    '!seen[$0]++',
    '{print ($1+$2)/2}',
    '{gsub(/a/,"b");print}',
    '$1 ~ /x/',
  ],
  ...[
    '{a[$1]++} END{for (k in a) print k, a[k]}',
    '{printf "%s %d\\n", $1, $2}',
    'NF',
    '{print $NF}',
    '{print $(NF-1)}',
    'length>80',
    '/a/,/b/',
  ],
  ...[
    '{if ($1 > 2) print "x"; else print "y"}',
    'NR>=2 && NR<=4',
    '{print substr($0, 1, 3) "/" $2}',
    '$1=="a" || /b/',
  ],
])('%j prints', (program) => expect(awkPrints(program)).toBe(true))

test.each([
  ...[
    '{print > "x"}',
    '{print >> "x"}',
    '{print | "sh"}',
    'BEGIN{system("x")}',
    '{"x" | getline}',
    '@include "x"',
    '{getline < "x"}',
  ],
  ...[
    'BEGIN{ARGV[1]="/etc/passwd";ARGC=2}{print}',
    '{print ENVIRON["X"]}',
    'BEGIN{SYMTAB["AR" "GV"][1]="x"}',
    'BEGIN{for(f in FUNCTAB)print f}',
  ],
  ...[
    'BEGIN{f="system";@f("x")}',
    '{close("x")}',
    '{print $1,\n$2 > "x"}',
    '{print a ? b : c > "x"}',
    '{printf("%s",$1) > "x"}',
    'BEGIN{PROCINFO["x"]=1}',
  ],
  ...[
    '{if(1) /"/ ; system("x") #"}',
    '{x++ /"/; system("x") #"/}',
    '#"\n{system("x")}',
    '{print "\\\n"}',
    '{length /"/; system("x") #"/}',
    '{print |& "x"}',
  ],
  ...[
    'function f(){}',
    '{return}',
    '{nextfile}',
    '{fflush()}',
    '@load "x"',
    '/[/"]/{system("x")}#"/',
    '{a (x)}',
    '{print x(1)}',
  ],
])('%j may do more', (program) => expect(awkPrints(program)).toBe(false))

const pieces = [
  ...[
    'print ',
    'printf ',
    '"EVIL"',
    '"touch EVIL"',
    '>',
    '|',
    '/',
    '/',
    '"',
    '(',
    ')',
    '{',
    '}',
    ';',
    '\n',
    ',',
    'system(',
    'getline ',
  ],
  ...[
    '$1',
    'x',
    '1',
    '+',
    '++',
    '[',
    ']',
    '/a/',
    '/"/',
    '/[/',
    ']/',
    '#',
    '\\',
    '==',
    '!',
    '~',
    'if(1)',
    'else ',
    'BEGIN',
    'close(',
    '&',
    '||',
    '?',
    ':',
    'length',
  ],
]
const awks = ['gawk', 'mawk', 'busybox'].filter((name) => spawnSync(name, ['--help']).error === undefined)

test.each(awks)('what is accepted writes and runs nothing in %s', (name) => {
  const dir = folder()
  writeFileSync(join(dir, 'f'), 'a "b" /c/\n1 2 3\n')
  const next = rng(Number(process.env.SEED ?? 11))
  let accepted = 0
  for (let i = 0; i < 60_000 && accepted < rounds(120, 300); i++) {
    const inner = Array.from({ length: 1 + Math.floor(next() * 7) }, () => choice(next, pieces)).join('')
    const one = choice(next, [`{${inner}}`, `BEGIN{${inner}}`, `{print ${inner}}`, inner])
    if (!awkPrints(one)) continue
    accepted++
    spawnSync(name, [...(name === 'busybox' ? ['awk'] : []), one, 'f'], {
      cwd: dir,
      timeout: 2_000,
      stdio: 'ignore',
    })
    expect(readdirSync(dir), JSON.stringify(one)).toEqual(['f'])
  }
  expect(accepted).toBeGreaterThan(100)
  spawnSync(name, [...(name === 'busybox' ? ['awk'] : []), '{print > "EVIL"}', 'f'], { cwd: dir })
  expect(readdirSync(dir)).toContain('EVIL')
  remove(dir)
})

// The rule that is offered for the answer "always": no wider than what was asked.
import type { Facts } from './facts.ts'
import { escapeGlob } from './glob.ts'
import type { Item } from './items.ts'
import { restricts } from './match.ts'
import type { Rule } from './rule.ts'

/** How many words make a command what it is, for programs where more words only say how or on what. */
const depth: Readonly<Record<string, number>> = {
  ...{ ls: 1, pwd: 1, echo: 1, date: 1, whoami: 1, uname: 1, which: 1, true: 1, false: 1, sleep: 1 },
  ...{ tsc: 1, eslint: 1, jest: 1, mocha: 1, pytest: 1, mypy: 1, pyright: 1, rspec: 1, phpunit: 1, ctest: 1 },
  ...{
    git: 2,
    npm: 2,
    pnpm: 2,
    yarn: 2,
    bun: 2,
    deno: 2,
    go: 2,
    cargo: 2,
    make: 2,
    mvn: 2,
    gradle: 2,
    dotnet: 2,
  },
  ...{
    swift: 2,
    zig: 2,
    mix: 2,
    rake: 2,
    bazel: 2,
    sbt: 2,
    stack: 2,
    cabal: 2,
    flutter: 2,
    dart: 2,
    vitest: 2,
  },
  ...{
    biome: 2,
    ruff: 2,
    docker: 2,
    kubectl: 2,
    gh: 2,
    pip: 2,
    uv: 2,
    poetry: 2,
    brew: 2,
    apt: 2,
    terraform: 2,
  },
  ...{
    'npm run': 3,
    'pnpm run': 3,
    'yarn run': 3,
    'bun run': 3,
    'git stash': 3,
    'git remote': 3,
    'gh pr': 3,
  },
  ...{ 'gh issue': 3, 'gh run': 3, 'docker compose': 3, 'deno task': 3, 'go tool': 3, 'uv pip': 3 },
}

/** The rule for the items that ask, or undefined where no single rule could answer for them. */
export function propose(facts: Facts, open: readonly Item[]): Rule | undefined {
  const rule = { tool: facts.call.tool, action: 'allow' as const }
  const [first] = open
  if (!first) return undefined
  // rules that ask stand above rules that allow, and guarded places above all of them
  if (open.some((item) => item.rules.some(({ rule }) => restricts(rule)))) return undefined
  if (open.some((item) => item.limits.some((limit) => limit.code !== 'sensitive_path'))) return undefined
  if (facts.commands.length > 0) return proposeLine(rule, facts, open)
  if (open.length > 1) return undefined
  if (first.place) {
    const { shown } = first.place
    return { ...rule, path: escapeGlob(shown) }
  }
  return first.kind === 'host' ? { ...rule, host: first.name } : rule
}

function proposeLine(rule: Rule, facts: Facts, open: readonly Item[]): Rule | undefined {
  const [line, more] = facts.commands
  if (!line || more || open.some((item) => item.kind === 'call' || item.limits.length > 0)) return undefined
  const part = open.length === 1 ? open[0]?.part : undefined
  const words = part && part.opaque === undefined ? prefix(part.words.slice(0, part.known)) : undefined
  return { ...rule, command: words ? words.join(' ') : `=${line.line}` }
}

/** The first words that name the command, or undefined when only the whole line says what it does. */
function prefix(words: readonly string[]): readonly string[] | undefined {
  const [program = '', sub = ''] = words
  const own = (name: string) => (Object.hasOwn(depth, name) ? depth[name] : undefined)
  const length = own(`${program} ${sub}`) ?? own(program)
  if (length === undefined || words.length < length) return undefined
  const taken = words.slice(0, length)
  return taken.every((word) => /^[a-z0-9][\w:.@-]*$/i.test(word)) ? taken : undefined
}

// A campaign of generated commands: it asks for the decision, runs allowed commands, finds the command behind
// each effect and shortens it.
import { rng } from '../rng.ts'
import { type Canaries, makeCanaries } from './canaries.ts'
import { choice } from './draw.ts'
import { gitVariables, takesVariables } from './git-settings.ts'
import { generateLine, type LineFocus } from './lines.ts'
import { allowed, type Effect, effectsOf, type PropertyName, place, policyFor } from './properties.ts'
import { type LineToRun, runLines, type Setting, settings } from './sandbox.ts'
import { shorten } from './shrink.ts'
import { ROOT } from './values.ts'

export interface Plan {
  seed: number
  lines: number
  property: PropertyName
  /** The kind of commands. Default: the kind of the property. */
  focus?: LineFocus
  /** Share of the allowed commands that are run, and of those among them that contain bait. */
  share: number
  baited: number
  /** Number of counterexamples that are shortened before the campaign ends. */
  most: number
  onFound?: (found: Counterexample) => void
  /** Called at intervals with the number of tried commands, run commands, and effects. */
  onProgress?: (tried: number, ran: number, found: number) => void
}

export interface Counterexample {
  property: PropertyName
  setting: Setting
  kind: string
  what: string
  line: string
  short: string
}

export interface Count {
  tried: number
  allowed: number
  ran: number
}

export interface Report {
  kinds: Map<string, Count>
  found: Counterexample[]
  /** Number of effects similar to the reported ones, which were not examined. */
  more: number
}

interface Case {
  kind: string
  line: string
}

const BATCH = 150

/** Matches parts of a command that may have an effect. */
const bait = /evil|\bgit\b|pwn|keep|\.env|outside|\.ssh|secrets|link|ENV|\.\.|API_TOKEN|[*?[]/

export async function campaign(plan: Plan): Promise<Report> {
  const at = makeCanaries(plan.property.startsWith('harmless'))
  const home = process.env.HOME
  process.env.HOME = at.home
  const report: Report = { kinds: new Map(), found: [], more: 0 }
  try {
    await work(plan, at, report)
  } finally {
    process.env.HOME = home
    at.end()
  }
  return report
}

async function work(plan: Plan, at: Canaries, report: Report): Promise<void> {
  const random = rng(plan.seed)
  const here = settings()
  const usual = plan.property === 'allow' ? 'writing' : plan.property === 'deny' ? 'starting' : 'reading'
  const { focus = usual } = plan
  const waiting = new Map<Setting, Case[]>(here.map((setting) => [setting, []]))
  let running = Promise.resolve()
  const start = (cases: Case[], setting: Setting) => {
    running = running.then(() =>
      report.found.length < plan.most ? tryCases(cases, setting, plan, at, report) : undefined,
    )
  }
  for (let i = 0; i < plan.lines && report.found.length < plan.most; i++) {
    if (i % 5_000 === 0 && i > 0) plan.onProgress?.(i, totals(report).ran, report.found.length + report.more)
    const { kind, line } = generateLine(random, focus)
    const setting = random() < 0.55 ? 'bash' : choice(random, here)
    const run = random() < shareOf(line, plan)
    const count = countOf(report, kind)
    count.tried++
    if (!(await allowed(line, plan.property, at))) continue
    count.allowed++
    if (!run) continue
    count.ran++
    const cases = waiting.get(setting) as Case[]
    cases.push({ kind, line })
    if (cases.length < BATCH) continue
    waiting.set(setting, [])
    // The decision reads the directory, so nothing is decided while commands run in it.
    start(cases, setting)
    await running
  }
  for (const [setting, cases] of waiting) if (cases.length > 0) start(cases, setting)
  await running
}

/**
 * Returns the share of commands to run. Commands that could start or write something forbidden always run if
 * they are allowed.
 */
function shareOf(line: string, plan: Plan): number {
  if (/evil|pwn/.test(line) && plan.property !== 'deny') return 1
  return bait.test(line) ? plan.baited : plan.share
}

function countOf(report: Report, kind: string): Count {
  const count = report.kinds.get(kind) ?? { tried: 0, allowed: 0, ran: 0 }
  report.kinds.set(kind, count)
  return count
}

/** Runs commands together. After an effect it searches the responsible commands and shortens them. */
async function tryCases(
  cases: readonly Case[],
  setting: Setting,
  plan: Plan,
  at: Canaries,
  report: Report,
): Promise<void> {
  const effects = await effectsAfter(cases, setting, plan.property, at)
  if (effects.length === 0) return
  const known = new Set(effects.map(({ line }) => line).filter((line) => line >= 0))
  for (const { line, what } of effects) {
    const one = cases[line]
    if (!one) continue
    if (often(one, what, report)) report.more++
    else await confirm(one, setting, plan, at, report)
  }
  const others = cases.filter((_, i) => !known.has(i))
  if (effects.some(({ line }) => line < 0)) await search(others, setting, plan, at, report)
}

async function search(
  cases: readonly Case[],
  setting: Setting,
  plan: Plan,
  at: Canaries,
  report: Report,
): Promise<void> {
  if (cases.length === 0 || report.found.length >= plan.most) return
  if (cases.length === 1) {
    await confirm(cases[0] as Case, setting, plan, at, report)
    return
  }
  const middle = cases.length >> 1
  for (const half of [cases.slice(0, middle), cases.slice(middle)]) {
    if ((await effectsAfter(half, setting, plan.property, at)).length > 0)
      await search(half, setting, plan, at, report)
  }
}

async function confirm(one: Case, setting: Setting, plan: Plan, at: Canaries, report: Report): Promise<void> {
  const [effect] = await effectsAfter([one], setting, plan.property, at)
  if (!effect || report.found.length >= plan.most) return
  if (often(one, effect.what, report)) {
    report.more++
    return
  }
  const same = async (line: string): Promise<boolean> => {
    if (!(await allowed(line, plan.property, at))) return false
    const now = await effectsAfter([{ ...one, line }], setting, plan.property, at)
    return now.some(({ what }) => what.split(' ')[0] === effect.what.split(' ')[0])
  }
  const short = await shorten(one.line, same)
  const found = { property: plan.property, setting, kind: one.kind, what: effect.what, line: one.line, short }
  report.found.push(found)
  plan.onFound?.(found)
}

/** Whether the same effect was found twice in commands with the same program. */
function often(one: Case, what: string, report: Report): boolean {
  const alike = report.found.filter((other) => {
    const program = /[^\s;&|()<>'"$]+/.exec(other.short)?.[0] ?? ''
    return other.what.split(' ')[0] === what.split(' ')[0] && one.line.includes(program)
  })
  return alike.length >= 2
}

/** Runs the commands and restores everything after an effect. */
async function effectsAfter(
  cases: readonly Case[],
  setting: Setting,
  property: PropertyName,
  at: Canaries,
): Promise<Effect[]> {
  const lines = cases.map(({ line }) => place(line, at))
  const variables = property.startsWith('harmless') ? await gitVariables(at.workspace) : ''
  const { roots } = policyFor(property, at)
  const ready: LineToRun[] = []
  for (const text of lines) {
    const takes = variables !== '' && (await takesVariables(text, roots))
    ready.push({ text, variables: takes ? variables : '' })
  }
  const outcome = await runLines(ready, setting, at)
  const effects = effectsOf(lines, outcome, property, at)
  if (effects.length > 0 || !property.startsWith('harmless')) at.restore()
  return effects
}

/** Returns the totals of all kinds. */
export function totals(report: Report): Count {
  const sum = (key: keyof Count) => [...report.kinds.values()].reduce((all, count) => all + count[key], 0)
  return { tried: sum('tried'), allowed: sum('allowed'), ran: sum('ran') }
}

/** Returns one line per kind: how many were tried, allowed and run. */
export function table(report: Report): string {
  const rows = [...report.kinds].sort(([a], [b]) => (a < b ? -1 : 1))
  return [...rows, ['all', totals(report)] as const]
    .map(([kind, { tried, allowed, ran }]) => {
      const share = Math.round((100 * allowed) / Math.max(1, tried))
      return `${kind.padEnd(14)} ${tried} tried, ${allowed} allowed (${share} %), ${ran} run`
    })
    .join('\n')
}

/** Returns the findings as text: their number, the seed, and each command in full and shortened. */
export function explain(report: Report, seed: number): string {
  const rows = report.found.map(
    ({ property, setting, what, short, line }) =>
      `${property} under ${setting}: ${what}\n  ${JSON.stringify(short)}\n  from ${JSON.stringify(line)}`,
  )
  return [`seed ${seed} (ANODE_SEED), ${ROOT} is the throw-away folder`, ...rows, table(report)].join('\n')
}

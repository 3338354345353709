// Generates lines, asks the gate, runs what it allows, finds the line behind each effect and makes it short.
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
  /** Absent: what the property is about. */
  focus?: LineFocus
  /** Share of the allowed lines that are run, and of those among them that have bait in them. */
  share: number
  baited: number
  /** Counterexamples that are made short before the campaign ends. */
  most: number
  onFound?: (found: Counterexample) => void
  /** Called now and then with how many lines were tried and run, and how many effects were found. */
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
  /** Effects like those found, which were not looked at closer. */
  more: number
}

interface Case {
  kind: string
  line: string
}

const BATCH = 150

/** What a line holds that may have an effect. */
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
    // the gate looks at the folder: while lines run in it nothing is judged
    start(cases, setting)
    await running
  }
  for (const [setting, cases] of waiting) if (cases.length > 0) start(cases, setting)
  await running
}

/** Lines that could start or write what must not be are always run when they are allowed. */
function shareOf(line: string, plan: Plan): number {
  if (/evil|pwn/.test(line) && plan.property !== 'deny') return 1
  return bait.test(line) ? plan.baited : plan.share
}

function countOf(report: Report, kind: string): Count {
  const count = report.kinds.get(kind) ?? { tried: 0, allowed: 0, ran: 0 }
  report.kinds.set(kind, count)
  return count
}

/** Runs lines together; when something happened, those behind it are looked for and made short. */
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

/** The same effect was found twice in lines with the program which this one calls too. */
function often(one: Case, what: string, report: Report): boolean {
  const alike = report.found.filter((other) => {
    const program = /[^\s;&|()<>'"$]+/.exec(other.short)?.[0] ?? ''
    return other.what.split(' ')[0] === what.split(' ')[0] && one.line.includes(program)
  })
  return alike.length >= 2
}

/** Runs the lines and puts everything back as it was when something had happened. */
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

/** All kinds together. */
export function totals(report: Report): Count {
  const sum = (key: keyof Count) => [...report.kinds.values()].reduce((all, count) => all + count[key], 0)
  return { tried: sum('tried'), allowed: sum('allowed'), ran: sum('ran') }
}

/** One line per kind: how many were tried, allowed and run. */
export function table(report: Report): string {
  const rows = [...report.kinds].sort(([a], [b]) => (a < b ? -1 : 1))
  return [...rows, ['all', totals(report)] as const]
    .map(([kind, { tried, allowed, ran }]) => {
      const share = Math.round((100 * allowed) / Math.max(1, tried))
      return `${kind.padEnd(14)} ${tried} tried, ${allowed} allowed (${share} %), ${ran} run`
    })
    .join('\n')
}

/** What was found, as text: how often, with which seed, and each line as it was and made short. */
export function explain(report: Report, seed: number): string {
  const rows = report.found.map(
    ({ property, setting, what, short, line }) =>
      `${property} under ${setting}: ${what}\n  ${JSON.stringify(short)}\n  from ${JSON.stringify(line)}`,
  )
  return [`seed ${seed} (ANODE_SEED), ${ROOT} is the throw-away folder`, ...rows, table(report)].join('\n')
}

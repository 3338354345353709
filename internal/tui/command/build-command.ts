// The command `/build` in a session. It makes or reads a plan, lets the user approve or edit the plan, and
// starts the build.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { splitWords } from '../input/verb-words.ts'
import type { CommandScreen } from './command-screen.ts'

/**
 * The end of a command whose output was read, not printed. `exit` is null if the user has
 * stopped the command.
 */
export interface ReadVerb {
  exit: number | null
  stdout: string
  stderr: string
}

/** The parts of a screen that `/build` uses. */
export interface BuildHost {
  readonly screen: CommandScreen
  /** Runs another command of Anode and prints its output. */
  print(words: readonly string[]): Promise<void>
  /** Runs another command of Anode and returns its output; undefined if the command did not start. */
  read(words: readonly string[]): Promise<ReadVerb | undefined>
  /**
   * Opens a text in the user's editor and returns the edited text. Returns undefined if that failed; the user
   * has then seen the reason.
   */
  edit(text: string): Promise<string | undefined>
}

/** Names of actions of `anode build` that need no plan. */
const actions: ReadonlySet<string> = new Set([
  ...['status', 'list', 'watch', 'show', 'resume', 'cancel', 'retry', 'report', 'merge', 'drop'],
])

/** Flags of `/build` that have no value. */
const switches: ReadonlySet<string> = new Set(['--no-proof', '--serve'])

interface BuildOrder {
  goal: string
  /** Path of the plan file. */
  plan?: string
  /** Flags for the plan and for the build, such as `--workers` and its value. */
  flags: readonly string[]
}

/**
 * Runs the command `/build` with an action such as `status`, a goal, or `--plan FILE`. Without an argument,
 * it shows the latest build.
 */
export async function runBuildCommand(host: BuildHost, argument: string): Promise<void> {
  const words = splitWords(argument)
  const [first = 'status'] = words
  if (actions.has(first)) return host.print(['build', ...(words.length === 0 ? [first] : words)])
  const order = readOrder(words, host.screen)
  if (typeof order === 'string') return host.screen.tell(order)
  const source = order.plan === undefined ? ['--', order.goal] : [`--plan=${order.plan}`]
  const result = await host.read(['build', '--plan-only', ...order.flags, ...source])
  if (!result || result.exit === null) return
  if (result.exit !== 0) return host.screen.print(linesOf(result.stderr))
  const file = join(await mkdtemp(join(tmpdir(), 'anode-build-')), 'plan.yaml')
  await writeFile(file, result.stdout, { mode: 0o600 })
  // the planner has used a part of the budget, so the same build continues with its plan
  const planned = order.plan === undefined ? /^build (\w+) {2}/m.exec(result.stderr)?.[1] : undefined
  askForBuild(host, { file, flags: order.flags, text: result.stdout, planned })
}

/** Returns the order for a build, or the reason why it cannot start. */
function readOrder(words: readonly string[], { view: { model } }: CommandScreen): BuildOrder | string {
  const goal: string[] = []
  const flags: string[] = []
  let plan: string | undefined
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const [name = '', optionValue] = word.startsWith('--')
      ? (/^(--[^=]+)(?:=(.*))?$/s.exec(word)?.slice(1) ?? [])
      : []
    if (name === '') goal.push(word)
    else if (switches.has(name)) flags.push(name)
    else {
      const value = optionValue ?? words[++at]
      if (value === undefined) return `${name} needs a value`
      if (name === '--plan') plan = value
      else flags.push(`${name}=${value}`)
    }
  }
  const hasModel = flags.some((flag) => flag.startsWith('--model='))
  if (!hasModel && model.kind !== 'rules') flags.push(`--model=${model.id}`)
  if (goal.length === 0 && plan === undefined) return '/build needs a goal, or --plan FILE'
  return { goal: goal.join(' '), plan, flags }
}

/**
 * A plan that waits for the user's approval. `problem`: the reason why a build cannot start from this text.
 */
interface OfferedPlan {
  file: string
  flags: readonly string[]
  text: string
  problem?: string
  /** ID of the build whose planner has made the plan; undefined for the plan of a file. */
  planned?: string
}

/**
 * Shows the plan and asks the user whether to start or edit it; an invalid plan can only be edited. Without
 * an answer the plan's file stays, so that nothing is lost.
 */
function askForBuild(host: BuildHost, plan: OfferedPlan): void {
  const { file, text, problem } = plan
  const edit = { key: 'e', label: 'edit the plan' }
  const start = { key: 'y', label: 'start it' }
  const reason =
    problem === undefined ? [] : [...linesOf(problem).map((line) => ({ text: line })), { text: '' }]
  const lines = [...reason, ...linesOf(text).map((line) => ({ text: line, foreign: true }))]
  host.screen.print([`The plan is in ${file}`])
  host.screen.choose(
    {
      title: problem === undefined ? 'Start this build?' : 'The plan is not valid. Edit it again?',
      lines,
      answers: problem === undefined ? [start, edit] : [edit],
    },
    (key) =>
      key === 'y' ? host.print(['build', ...wordsToStart(plan), `--plan=${file}`]) : editPlan(host, plan),
  )
}

/** Returns the words that start a plan. A build that is resumed has the flags already, except `--serve`. */
function wordsToStart({ flags, planned }: OfferedPlan): string[] {
  if (planned === undefined) return ['--yes', ...flags]
  return ['resume', planned, ...flags.filter((flag) => flag === '--serve')]
}

/** Lets the user edit the plan, checks the result, and asks again. */
async function editPlan(host: BuildHost, plan: OfferedPlan): Promise<void> {
  const { file, flags } = plan
  const text = await host.edit(plan.text)
  if (text === undefined) return askForBuild(host, plan)
  await writeFile(file, `${text}\n`)
  const checked = await host.read(['build', '--plan-only', ...flags, `--plan=${file}`])
  if (!checked || checked.exit === null) return
  const problem = checked.exit === 0 ? undefined : checked.stderr
  askForBuild(host, { ...plan, text, problem })
}

const linesOf = (text: string): string[] => text.trimEnd().split('\n')

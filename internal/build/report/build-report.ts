// The report of a build as Markdown, and as the text of a pull request.
import type { ProofReceipt } from '../../proof/prove.ts'
import { describeTaskState } from '../../session/board/build-words.ts'
import type { BuildSummary, BuildTaskSummary } from '../summary.ts'
import { findLastLines } from './build-lines.ts'

type ProofCheck = ProofReceipt['checks'][number]

/** The checks that proved a build: those of the finished branch, and those of each commit by its task. */
export interface BuildProofs {
  closing: readonly ProofCheck[]
  tasks: ReadonlyMap<string, readonly ProofCheck[]>
}

/** `distance`: commits on the user's branch since the build started. */
interface BuildReport {
  build: BuildSummary
  distance: number
  proofs: BuildProofs
}

/** Returns the report as Markdown: result, checks, tasks with commits and checks, and what did not merge. */
export function renderBuildReport({ build, distance, proofs }: BuildReport): string {
  return [
    `# ${build.goal}`,
    '',
    `- Result: ${build.end ?? build.status}`,
    `- Branch: ${build.branch} (${build.proof ?? 'not proven yet'})`,
    `- Base: ${build.base.slice(0, 10)}${describeDistance(distance)}`,
    ...(build.detail === null ? [] : [`- Reason: ${build.detail.replaceAll('\n', ' ')}`]),
    ...listChecks(proofs.closing),
    '',
    ...describeTasks(build.tasks, proofs.tasks),
  ].join('\n')
}

/** Returns a pull request as one text: its title, an empty line and its body. */
export function renderPullRequest({ build, distance, proofs }: BuildReport): string {
  return [
    build.goal.split('\n')[0] ?? '',
    '',
    `Branch ${build.branch} has one commit for each task. Checks: ${build.proof ?? 'not proven yet'}.`,
    ...(distance > 0 ? [`The base branch has moved by ${distance} since: rebase before you merge.`] : []),
    ...(build.end === 'unverified' && build.detail !== null ? ['', indentText(build.detail)] : []),
    ...(proofs.closing.length > 0 ? ['', ...listChecks(proofs.closing)] : []),
    '',
    ...describeTasks(build.tasks, proofs.tasks),
  ].join('\n')
}

const indentText = (text: string) => text.replace(/^/gm, '    ')

const describeDistance = (distance: number) =>
  distance === 0 ? '' : `; your branch has moved by ${distance} since`

/** Returns a list of the checks with their ends. */
const listChecks = (checks: readonly ProofCheck[]) =>
  checks.map(({ command, exit, originals }) => {
    const end = exit === null ? 'ended by a signal or its time limit' : `exit ${exit}`
    return `- Check \`${command}\`: ${end}${originals === 'restored' ? ', with the original tests' : ''}`
  })

function describeTasks(tasks: readonly BuildTaskSummary[], proofs: BuildProofs['tasks']): string[] {
  const merged = tasks.filter(({ state }) => state === 'merged')
  const others = tasks.filter(({ state }) => state !== 'merged')
  return [
    '## Merged',
    '',
    ...(merged.length === 0
      ? ['Nothing.']
      : merged.flatMap((task) => describeMerged(task, proofs.get(task.id) ?? []))),
    ...(others.length === 0 ? [] : ['', '## Not merged', '', ...others.map(describeOther)]),
    '',
  ]
}

const describeMerged = (
  { id, commit, files, flaky }: BuildTaskSummary,
  checks: readonly ProofCheck[],
): string[] => [
  `- ${id} (${commit?.slice(0, 10)}): ${files.join(', ')}${flaky ? '; its check was flaky' : ''}`,
  ...listChecks(checks).map((line) => `  ${line}`),
]

const describeOther = (task: BuildTaskSummary) => {
  const last = findLastLines(task.detail ?? '').map((line) => `\n      ${line}`)
  return `- ${task.id}: ${describeTaskState(task)}${last.join('')}`
}

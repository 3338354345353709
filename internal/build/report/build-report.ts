// The report of a build as Markdown, and as the text of a pull request.
import type { BuildSummary, BuildTaskSummary } from '../summary.ts'

/** `distance`: commits on the user's branch since the build started. */
interface BuildReport {
  build: BuildSummary
  distance: number
}

/** Returns the report as Markdown: result, tasks with commits, and what did not merge. */
export function renderBuildReport({ build, distance }: BuildReport): string {
  return [
    `# ${build.goal}`,
    '',
    `- Result: ${build.end ?? build.status}`,
    `- Branch: ${build.branch} (${build.proof ?? 'not proven yet'})`,
    `- Base: ${build.base.slice(0, 10)}${describeDistance(distance)}`,
    ...(build.detail === null ? [] : [`- Reason: ${build.detail.replaceAll('\n', ' ')}`]),
    '',
    ...describeTasks(build.tasks),
  ].join('\n')
}

/** Returns a pull request as one text: its title, an empty line and its body. */
export function renderPullRequest({ build, distance }: BuildReport): string {
  return [
    build.goal.split('\n')[0] ?? '',
    '',
    `Branch ${build.branch} has one commit for each task. Checks: ${build.proof ?? 'not proven yet'}.`,
    ...(distance > 0 ? [`The base branch has moved by ${distance} since: rebase before you merge.`] : []),
    ...(build.end === 'unverified' && build.detail !== null ? ['', indentText(build.detail)] : []),
    '',
    ...describeTasks(build.tasks),
  ].join('\n')
}

const indentText = (text: string) => text.replace(/^/gm, '    ')

const describeDistance = (distance: number) =>
  distance === 0 ? '' : `; your branch has moved by ${distance} since`

function describeTasks(tasks: readonly BuildTaskSummary[]): string[] {
  const merged = tasks.filter(({ state }) => state === 'merged')
  const others = tasks.filter(({ state }) => state !== 'merged')
  return [
    '## Merged',
    '',
    ...(merged.length === 0 ? ['Nothing.'] : merged.map(describeMerged)),
    ...(others.length === 0 ? [] : ['', '## Not merged', '', ...others.map(describeOther)]),
    '',
  ]
}

const describeMerged = ({ id, commit, files, flaky }: BuildTaskSummary) =>
  `- ${id} (${commit?.slice(0, 10)}): ${files.join(', ')}${flaky ? '; its check was flaky' : ''}`

const describeOther = ({ id, state, why, detail }: BuildTaskSummary) => {
  const lines = (detail ?? '').split('\n').filter((line) => line.trim() !== '')
  const last = lines.slice(-8).map((line) => `\n      ${line}`)
  return `- ${id}: ${state}${why === null ? '' : ` (${why})`}${last.join('')}`
}

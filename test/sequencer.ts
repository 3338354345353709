// The order of test files: those that start programs before the others, and the longest of them first.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The projects one after the other: a worker that is shared goes on only with files of its own project. */
const projects = ['commands', 'programs', 'research', 'alone', 'units']

/** Files of ten seconds and more, and the rooms that have most of them; what is not named here comes behind. */
const longest = [
  'cmd/study/ask',
  'cmd/research.',
  'cmd/hostile-git',
  'faults/redis-study',
  'faults/research-kill',
  'conformance/',
  'cmd/approvals',
  'cmd/study',
  'internal/research/auto-loop',
  'internal/research/run/',
  'faults/',
  'internal/lsp/',
]

/** The last to start is a short one, so that no worker is left alone with a long one. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const at = longest.findIndex((start) => moduleId.includes(`/test/${start}`))
      return projects.indexOf(project.name) * 1_000 + (at < 0 ? longest.length : at)
    }
    const sorted = await super.sort(files)
    // a stable sort: within a place the order stays as vitest has it, by earlier durations or by size
    return sorted.sort((a, b) => place(a) - place(b))
  }
}

// The order of test files: those that start programs before the others, and the longest of them first.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The projects in sequence, because a shared worker continues only with files of its project. */
const projects = ['commands', 'programs', 'research', 'alone', 'units']

/** Files of ten seconds and more, and the rooms with most of them. Unlisted files run last. */
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

/** Sorts slow files first. A short file starts last, so that no worker is left alone with a long one. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const at = longest.findIndex((start) => moduleId.includes(`/test/${start}`))
      return projects.indexOf(project.name) * 1_000 + (at < 0 ? longest.length : at)
    }
    const sorted = await super.sort(files)
    // The sort is stable: equal files keep the order of vitest, by earlier durations or by size.
    return sorted.sort((a, b) => place(a) - place(b))
  }
}

// A reviewer of approvals: its configuration, its model server and its answers.
import { onTestFinished } from 'vitest'
import type { World } from './anode.ts'
import { type Received, type ServedReply, serveModel } from './model-server.ts'
import { git } from './repo.ts'

export type Answer = (request: Received, n: number) => ServedReply

/**
 * Starts a model server that answers as the reviewer, and names it in the user's configuration of the world.
 * `reviewer` and `config` are further settings of the reviewer and of the file.
 */
export async function serveReviewer(at: World, answer: Answer, reviewer: object = {}, config: object = {}) {
  const served = await serveModel(answer)
  onTestFinished(() => served.close())
  const settings = {
    providers: { other: { baseUrl: served.url, model: 'small', window: 100_000 } },
    approvals: { reviewer: { model: 'other/small', timeout: 20, ...reviewer } },
    ...config,
  }
  at.put('../.config/anode/config.json', JSON.stringify(settings))
  return served
}

/** Creates a git repository with an author and without a commit. */
export function openRepository(dir: string): void {
  git(dir, 'init', '-q', '-b', 'main')
  git(dir, 'config', 'user.name', 'Ada')
  git(dir, 'config', 'user.email', 'ada@example.org')
}

/** Returns the recorded reviews of a run with --stream-json. */
export const reviewsOf = (out: string) =>
  out
    .split('\n')
    .filter((line) => line.includes('"approval.reviewed"'))
    .map((line) => (JSON.parse(line) as { payload: Record<string, string> }).payload)

/** Returns the id of the call in a request to a reviewer. */
export const reviewedCall = (request: string): string =>
  /call\\*": \\*"([0-9a-f]{12})/.exec(request)?.[1] ?? ''

/** Returns the answer of a reviewer that allows every call. */
export const alwaysYes = (request: string): string =>
  JSON.stringify({ verdict: 'allow', call: reviewedCall(request), reason: 'the user asked for it' })

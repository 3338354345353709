// The policy (source of candidates) `model`: each experiment gets a new agent, which reads a brief instead of
// the history of earlier ones.

import { join } from 'node:path'
import { readSmall } from '../../base/files/open-file.ts'
import type { ExperimentCost } from '../ledger/experiment-run.ts'
import { buildOverview } from '../report/overview.ts'
import { readReply, writeBrief } from './proposal-brief.ts'
import type { ProposalOutcome, Proposer } from './proposer.ts'

export interface ProposerAgentRequest {
  /** Worktree of the candidate. The agent works there and may write only there. */
  dir: string
  prompt: string
  /** Title of the agent's run, such as `experiment 7`, with a new number for every request. */
  title: string
  /** Globs of files that the agent may not write, relative to the worktree. */
  locked: readonly string[]
  signal: AbortSignal
}

export interface ProposerAgentResult {
  end: 'done' | 'partial' | 'limit' | 'cancelled' | 'failed'
  reason?: string
  text: string
  thread: string
  cost: ExperimentCost
}

/** Runs an agent to its end. The program that opens the session supplies this function. */
export type RunProposerAgent = (order: ProposerAgentRequest) => Promise<ProposerAgentResult>

/**
 * Creates the proposer. It reads the notes in `workspace` before every experiment, so that the user
 * can steer it.
 */
export function modelProposer(agent: RunProposerAgent, workspace: string): Proposer {
  let last = 0
  /**
   * Numbers of the candidates that are being created at this time. A new candidate gets the smallest number
   * that is not in use.
   */
  const open = new Set<number>()
  /** Descriptions of finished candidates that the ledger does not contain yet. */
  let descriptions: string[] = []
  return {
    name: 'model',
    remakesOnNewBest: false,
    async next(state) {
      const view = buildOverview(state)
      if (!view) return undefined
      last = Math.max(last + 1, state.nextRun)
      const title = `experiment ${last}`
      const { locked = [], checks, files = [] } = state.active?.config ?? {}
      descriptions = descriptions.filter((one) => view.rows.every(({ description }) => description !== one))
      const place = findFreePlace(open)
      open.add(place)
      const prompt = writeBrief(view, notesIn(workspace), {
        checks,
        locked,
        files,
        place,
        taken: descriptions,
      })
      return {
        async make(dir, signal) {
          try {
            const outcome = madeBy(await agent({ dir, prompt, title, locked, signal }))
            if (!outcome.failed) descriptions.push(outcome.description)
            return outcome
          } finally {
            open.delete(place)
          }
        },
      }
    },
  }
}

function findFreePlace(open: ReadonlySet<number>): number {
  for (let place = 1; ; place++) if (!open.has(place)) return place
}

function notesIn(workspace: string) {
  const read = (...names: string[]) => {
    for (const name of names) {
      const text = readSmall(join(workspace, name))
      if (text !== undefined) return text
    }
    return undefined
  }
  const prompt = read('.auto/prompt.md', 'autoresearch.md')
  const ideas = read('.auto/ideas.md', 'autoresearch.ideas.md')
  return { prompt, ideas }
}

/**
 * Returns the outcome of an agent's work. If the agent failed or was cancelled, the outcome has `failed`, and
 * the candidate is not measured. If the agent stopped at a limit, its edits are measured.
 */
function madeBy({ end, reason, text, thread, cost }: ProposerAgentResult): ProposalOutcome {
  const { description, hypothesis } = readReply(text)
  const asi = { hypothesis, thread }
  const outcome = { description, asi, cost }
  if (end !== 'failed' && end !== 'cancelled') return outcome
  return { ...outcome, failed: { kind: 'policy', detail: reason ?? end } }
}

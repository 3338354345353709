// Interface of proposers, and the proposers of knob files and of scripts.
import type { ExperimentCost } from '../ledger/experiment-run.ts'
import { noCost } from '../report/cost.ts'
import type { ResearchState } from '../session.ts'
import { applyProposedEdits } from './apply-edits.ts'
import { drawProposals, type KnobSpace } from './knobs.ts'
import type { ExperimentProposal } from './proposal.ts'

/**
 * What a proposer has done in the worktree of a candidate: its description, its cost, and the reason
 * if it failed.
 */
export interface ProposalOutcome {
  description: string
  asi: Record<string, unknown>
  cost: ExperimentCost
  /**
   * Why nothing can be measured. `fit`: the edits do not fit the files of the tree; `policy`: the
   * proposer itself failed.
   */
  failed?: { kind: 'fit' | 'policy'; detail: string }
}

/** A candidate whose files have not been created yet. */
export interface CandidateDraft {
  make(dir: string, signal: AbortSignal): Promise<ProposalOutcome>
}

export interface Proposer {
  readonly name: string
  /**
   * True if proposals write whole files, so that a new best needs new proposals instead of a merge. Creating
   * several candidates at a time then has no advantage.
   */
  readonly remakesOnNewBest: boolean
  /**
   * Returns the next candidate, or undefined if nothing is left to propose. Calls do not overlap and get
   * the latest state.
   */
  next(state: ResearchState): Promise<CandidateDraft | undefined>
}

/**
 * Creates the proposer of a knob file. It skips combinations that the active segment (the part of the ledger
 * under one configuration) already contains, so that a later call of the loop continues after them.
 */
export function randomProposer(knobs: KnobSpace, seed: number): Proposer {
  const order = drawProposals(knobs, seed)
  return {
    name: 'random',
    remakesOnNewBest: true,
    async next(state) {
      const tried = new Set(runsOf(state).map(({ asi }) => JSON.stringify(asi?.knobs)))
      for (let step = order.next(); !step.done; step = order.next()) {
        if (!tried.has(JSON.stringify(step.value.asi.knobs))) return draftOf(step.value)
      }
      return undefined
    },
  }
}

/** Creates the proposer of a script. It skips steps that the segment already contains. */
export function scriptedProposer(script: readonly ExperimentProposal[]): Proposer {
  let at = 0
  return {
    name: 'scripted',
    remakesOnNewBest: false,
    async next(state) {
      const done = new Set(runsOf(state).map(({ asi }) => asi?.step))
      while (at < script.length) {
        const proposal = script[at++] as ExperimentProposal
        if (!done.has(proposal.asi.step)) return draftOf(proposal)
      }
      return undefined
    },
  }
}

const runsOf = (state: ResearchState) => state.active?.runs ?? []

function draftOf({ description, edits, asi }: ExperimentProposal): CandidateDraft {
  return {
    async make(dir) {
      const detail = applyProposedEdits(dir, edits)
      const outcome = { description, asi, cost: noCost }
      return detail === undefined ? outcome : { ...outcome, failed: { kind: 'fit', detail } }
    },
  }
}

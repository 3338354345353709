// The interface of proposers, which knobs, scripts and models implement.
import type { ExperimentCost } from '../ledger/experiment-run.ts'
import { noCost } from '../report/cost.ts'
import type { ResearchState } from '../session.ts'
import { applyProposedEdits } from './apply-edits.ts'
import { drawProposals, type KnobSpace } from './knobs.ts'
import type { ExperimentProposal } from './proposal.ts'

/** What became of a candidate's worktree. */
export interface ProposalOutcome {
  description: string
  asi: Record<string, unknown>
  cost: ExperimentCost
  /**
   * Why there is nothing to measure. `fit`: the edits do not fit the tree; `policy`: the proposer itself
   * failed.
   */
  failed?: { kind: 'fit' | 'policy'; detail: string }
}

/** One candidate, not made yet. */
export interface CandidateDraft {
  make(dir: string, signal: AbortSignal): Promise<ProposalOutcome>
}

export interface Proposer {
  readonly name: string
  /**
   * True where proposals say what a file becomes, so that on another best they are made again instead of
   * merged. Nothing is won by making several of them at a time.
   */
  readonly remakesOnNewBest: boolean
  /**
   * Undefined: there is nothing left to propose. Called in turn, for each candidate with the newest state.
   */
  next(state: ResearchState): Promise<CandidateDraft | undefined>
}

/** Settings that the ledger's segment has already seen are passed over, so that a later call goes on. */
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

/** Steps that the ledger's segment already holds are not taken again. */
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
      const made = { description, asi, cost: noCost }
      return detail === undefined ? made : { ...made, failed: { kind: 'fit', detail } }
    },
  }
}

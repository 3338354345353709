// A question for a remote user as JSON: the complete text of the terminal, and the same content as data.
import { randomBytes } from 'node:crypto'
import { createId } from '../base/ids.ts'
import type { ApprovalRequest, FilePreview, UserQuestionnaire } from '../tool/ask.ts'

/** Workspace that a question comes from. */
export interface RelaySource {
  /** Real path of the workspace that the question comes from. */
  workspace: string
}

interface RelayEnvelope extends RelaySource {
  version: 1
  id: string
  /** Random value that a signed answer has to repeat, so that the answer fits no other question. */
  nonce: string
  /** End of the time for an answer, ISO 8601. */
  expires: string
  /**
   * The complete text that the terminal shows, in the same order. A vertical bar at the start of a line marks
   * text of a model or a file.
   */
  text: string
}

export interface RelayedApproval
  extends RelayEnvelope,
    Pick<
      ApprovalRequest,
      'call' | 'tool' | 'origin' | 'child' | 'args' | 'cwd' | 'reasons' | 'parts' | 'always'
    > {
  kind: 'approval'
  /** Changes that the call makes to files; undefined if they are unknown. */
  files?: FilePreview['files']
}

export interface RelayedQuestions extends RelayEnvelope, UserQuestionnaire {
  kind: 'questions'
}

export type RelayDocument = RelayedApproval | RelayedQuestions

export function approvalDocument(
  { call, tool, origin, child, args, cwd, reasons, parts, always }: ApprovalRequest,
  preview: FilePreview | undefined,
  text: string,
  about: { source: RelaySource; expires: number },
): RelayedApproval {
  return {
    ...createEnvelope(about),
    kind: 'approval',
    text,
    call,
    tool,
    origin,
    child,
    args,
    cwd,
    reasons,
    parts,
    always,
    files: preview?.files,
  }
}

export function questionsDocument(
  { from, call, questions }: UserQuestionnaire,
  text: string,
  about: { source: RelaySource; expires: number },
): RelayedQuestions {
  return { ...createEnvelope(about), kind: 'questions', text, from, questions, call }
}

function createEnvelope({
  source,
  expires,
}: {
  source: RelaySource
  expires: number
}): Omit<RelayEnvelope, 'text'> {
  return {
    version: 1,
    id: createId('relay'),
    nonce: randomBytes(32).toString('base64url'),
    expires: new Date(expires).toISOString(),
    ...source,
  }
}

// Takes a patch in whichever of its two formats.

import type { FilePatch } from './patch.ts'
import { isEnvelope, readEnvelope } from './patch-envelope.ts'
import { readUnified } from './unified-diff.ts'

/** What the text says, file by file. Throws FailureError `bad_patch` or `unsupported_binary_patch`. */
export function readPatch(text: string): FilePatch[] {
  const inner = stripFence(text)
  return isEnvelope(inner) ? readEnvelope(inner) : readUnified(inner)
}

/** Models like to put a patch into a Markdown code block. */
export function stripFence(text: string): string {
  const fenced = /^\s*```[a-z]*\r?\n([\s\S]*?\n)```\s*$/.exec(text)
  return fenced?.[1] ?? text
}

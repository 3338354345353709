// Files as an editor has them open, saved or not: the part of a session that an editor may offer.

export interface EditorFiles {
  /** Returns the editor's text of this real path; undefined if it has none. Never rejects. */
  read(path: string, signal: AbortSignal): Promise<string | undefined>
  /** Writes through the editor; undefined for an editor that only reads. Rejects with FailureError `io`. */
  write?(path: string, text: string, signal: AbortSignal): Promise<void>
}

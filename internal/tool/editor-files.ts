// Access to files as an editor has them open, saved or not. An editor may offer it to a session.

export interface EditorFiles {
  /**
   * Returns the editor's text of the file at this real path; undefined if the editor has none. Never rejects.
   */
  read(path: string, signal: AbortSignal): Promise<string | undefined>
  /**
   * Writes a file through the editor; undefined for an editor that only reads. Rejects
   * with FailureError `io`.
   */
  write?(path: string, text: string, signal: AbortSignal): Promise<void>
}

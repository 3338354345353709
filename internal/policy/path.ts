// Where a path really leads and how it stands to the workspace.

/** A path resolved through symlinks; what does not exist yet is resolved by its nearest existing parent. */
export interface Place {
  /** As the caller wrote it. */
  given: string
  /** Absolute, without links. */
  real: string
  exists: boolean
  /** The root that contains it, or undefined when it lies outside of all of them. */
  root: string | undefined
  /** Relative to the workspace when inside it, else the real path; what people are shown. */
  shown: string
}

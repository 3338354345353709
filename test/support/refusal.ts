// The failure with which a piece of work was rejected.
import { type Failure, FailureError } from '../../internal/base/errors.ts'

/** Returns the Failure that `work` throws; undefined if it throws nothing. Rethrows anything else. */
export async function refusalOf(work: () => unknown): Promise<Failure | undefined> {
  try {
    await work()
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
  return undefined
}

// What a piece of work was refused with.
import { type Failure, FailureError } from '../../internal/base/errors.ts'

/** The Failure that `work` throws, undefined when it does not throw. Anything else thrown is thrown on. */
export async function refusalOf(work: () => unknown): Promise<Failure | undefined> {
  try {
    await work()
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
  return undefined
}

// Questions with two answers to the user on a terminal. They are written to standard error.
import { loadDialogs } from '../../../internal/tui/terminal/live-frame.ts'
import type { CommandIo } from '../verb.ts'

/** The two answers of a question, if they are not yes and no. */
interface AnswerLabels {
  active: string
  inactive: string
}

/** Asks the user and returns true only for yes. No is selected first. Cancelling is no. */
export async function confirmAtTerminal(
  message: string,
  io: CommandIo,
  answers?: AnswerLabels,
): Promise<boolean> {
  const { confirm } = await loadDialogs()
  const answer = await confirm({
    ...answers,
    message,
    initialValue: false,
    input: io.stdin,
    output: io.stderr.stream,
    signal: io.signal,
  })
  return answer === true
}

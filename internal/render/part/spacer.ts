// Spacer: nothing itself; layout.ts gives it the free space of its line.
import type { Part } from '../part.ts'
import type { Props } from '../props.ts'

export const spacer: Part<Props['Spacer']> = {
  draw: () => [],
  speak: () => [],
}

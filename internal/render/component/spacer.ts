// Spacer: an empty component, to which layout.ts gives the free space of its line.

import type { ComponentProps } from '../spec/props.ts'
import type { ComponentRenderer } from './component.ts'

export const spacer: ComponentRenderer<ComponentProps['Spacer']> = {
  draw: () => [],
  speak: () => [],
}

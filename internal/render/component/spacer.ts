// Spacer: a component without content. The layout gives it the free space of its row or column.

import type { ComponentProps } from '../spec/props.ts'
import type { ComponentRenderer } from './component.ts'

export const spacer: ComponentRenderer<ComponentProps['Spacer']> = {
  draw: () => [],
  speak: () => [],
}

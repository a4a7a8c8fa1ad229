import type { KeyboardEvent } from 'react'

/** While an input method is composing text, its keys are its own. Safari reports the last one by its code alone. */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === 229
}

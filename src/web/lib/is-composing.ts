import type { KeyboardEvent } from 'react'

/**
 * Whether the key belongs to an input method that is composing text. In Safari, the last such key
 * has only the code 229.
 */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === 229
}

/** Limits each holder to `max` slots at a time, in this process. */
export function createSlots(max: number) {
  const taken = new Map<string, number>()

  /** Returns a function that releases the slot. Undefined if the holder's slots are all taken. */
  return function take(holder: string): (() => void) | undefined {
    const count = taken.get(holder) ?? 0
    if (count >= max) return undefined
    taken.set(holder, count + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = taken.get(holder)! - 1
      if (left > 0) taken.set(holder, left)
      else taken.delete(holder)
    }
  }
}

export type TakeSlot = ReturnType<typeof createSlots>

import { type RefObject, useEffect, useRef } from 'react'

/**
 * A function that one component of the task registers and another component calls. `run` is missing
 * while no function is registered.
 */
export type RegisteredHandler<Input> = { run?: (input: Input) => void }

/** Registers a function while the component is mounted. */
export function useRegisterHandler<Input>(
  handler: RefObject<RegisteredHandler<Input>> | undefined,
  run: (input: Input) => void,
): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!handler) return undefined
    handler.current = { run: (input) => latest.current(input) }
    return () => {
      handler.current = {}
    }
  }, [handler])
}

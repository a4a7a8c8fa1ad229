type Props = { isEnded: boolean; onMarkDone: () => void; onReject: () => void }

/** Ways out that are the service's and not the agent's: apart, and quiet. */
export function OwnActions({ isEnded, onMarkDone, onReject }: Props) {
  return (
    <div className="own">
      <span className="lead">Or close it</span>
      <button
        type="button"
        className="btn quiet"
        aria-disabled={isEnded}
        onClick={isEnded ? undefined : onMarkDone}
      >
        Mark done <kbd aria-hidden="true">E</kbd>
      </button>
      <button
        type="button"
        className="btn quiet"
        aria-disabled={isEnded}
        onClick={isEnded ? undefined : onReject}
      >
        Reject… <kbd aria-hidden="true">R</kbd>
      </button>
    </div>
  )
}

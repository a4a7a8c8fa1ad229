let markers = 0
/** A word that occurs nowhere else. */
export const newMarker = () => `marker${String(markers++).padStart(4, '0')}zyx`

/** A payload with the marker in every text that a sender can write. */
export function markedPayload(marker: string, more: Record<string, unknown> = {}) {
  return {
    task: { type: 'refund-approval', name: `Name ${marker}`, description: `About ${marker}` },
    context: {
      data: { [marker]: [{ text: marker }, { text: 'b' }] },
      ui: { [marker]: { 'ui:widget': 'compare', 'ui:title': marker } },
    },
    actions: [
      {
        id: 'answer',
        title: `Title ${marker}`,
        description: marker,
        outcome: 'negative',
        schema: { type: 'object', properties: { why: { type: 'string', title: marker } } },
        ui: { why: { 'ui:options': { prefill: marker } } },
      },
    ],
    metadata: { marker },
    ...more,
  }
}

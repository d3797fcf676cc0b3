/** The part of a Kafka consumer that a partition uses. A test fetches from `position`, unless the consumer is paused. */
export class StubConsumer {
  position = 0;
  isPaused = true;

  seek({ offset }: { offset: string }): void {
    this.position = Number(offset);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }
}

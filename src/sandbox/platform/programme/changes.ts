/** A change of package that is paid and waits for the supplier. */
export interface WaitingChange {
  serviceId: string;
  approve(): void;
  deny(): void;
}

export declare function buildValidators(): void;

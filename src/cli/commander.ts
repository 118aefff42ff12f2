// The adapter of commander.
export { Command, CommanderError, InvalidArgumentError, Option } from "commander";

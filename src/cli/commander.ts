// The one door to commander.
export { Command, CommanderError, InvalidArgumentError, Option } from "commander";

// The virtual tool: a rigid body that a spring and a damper tie to the hand, and that contacts push away. The hand feels
// the spring, so the forces stay bounded whatever the hand does.
#ifndef HAPTIC_TOOL_HPP
#define HAPTIC_TOOL_HPP

#include "scene.hpp"

#include <feeler.hpp>

namespace haptic {

struct wrench {
    vec3 force, torque;
};

// Where the tool is and how it moves.
struct motion {
    pose where;
    vec3 velocity, spin;
};

class virtual_tool {
public:
    // The tool starts in the hand and moves with it.
    virtual_tool(const pose &before, const pose &start)
        : pose_(start), hand_(before), velocity_((1 / period) * (start.position - before.position)),
          spin_((1 / period) * to_rotation_vector(start.rotation * inverse(before.rotation))) {}

    feeler_transform transform() const {
        feeler_transform result = feeler_transform_identity();
        const double place[3] = {pose_.position.x, pose_.position.y, pose_.position.z};
        const double turn[4] = {pose_.rotation.x, pose_.rotation.y, pose_.rotation.z, pose_.rotation.w};
        (void)feeler_transform_from_quaternion(turn, place, &result);
        return result;
    }

    // One period: contacts between the surface (A) and the tool (B) push, the hand pulls. Returns the force on the hand.
    vec3 step(const pose &hand, const feeler_minimum *contacts, std::size_t count) {
        const vec3 hand_velocity = (1 / period) * (hand.position - hand_.position);
        const vec3 hand_spin = (1 / period) * to_rotation_vector(hand.rotation * inverse(hand_.rotation));
        hand_ = hand;
        wrench pull;
        pull.force = limited(coupling_stiffness * (hand.position - pose_.position) +
                             coupling_damping * (hand_velocity - velocity_), largest_force);
        pull.torque = limited(turning_stiffness * to_rotation_vector(hand.rotation * inverse(pose_.rotation)) +
                              turning_damping * (hand_spin - spin_), largest_torque);
        const wrench push = contact_wrench(moving(), contacts, count);
        push_ = push.force;
        velocity_ = velocity_ + (period / mass) * (pull.force + push.force);
        spin_ = spin_ + (period / inertia) * (pull.torque + push.torque);
        pose_.position = pose_.position + period * velocity_;
        pose_.rotation = normalised(from_rotation_vector(period * spin_) * pose_.rotation);
        return -1.0 * pull.force;
    }

    const pose &where() const { return pose_; }
    motion moving() const { return {pose_, velocity_, spin_}; }
    // What the surface pushed with in the last period.
    vec3 push() const { return push_; }

    // Every contact has a say by how deep it is in the margin. The mean, and not the sum, is applied with the depth of
    // the deepest, so that more contacts do not feel harder. Contacts are local minima, or all triangle pairs.
    template <typename Contact>
    static wrench contact_wrench(const motion &tool, const Contact *contacts, std::size_t count) {
        wrench mean;
        vec3 approach; // mean of the normals, to find how fast the tool comes nearer
        double weights = 0, deepest = 0;
        for (std::size_t index = 0; index < count; ++index) {
            const feeler_contact &contact = contact_of(contacts[index]);
            const double depth = contact_margin - contact.distance;
            const double weight = depth * depth;
            const vec3 normal = from(contact.normal);
            const vec3 arm = from(contact.point_b) - tool.where.position;
            mean.force = mean.force + weight * normal;
            mean.torque = mean.torque + weight * cross(arm, normal);
            approach = approach + (weight * dot(tool.velocity + cross(tool.spin, arm), normal)) * normal;
            weights += weight;
            deepest = std::max(deepest, depth);
        }
        if (weights == 0) {
            return {};
        }
        const double strength = contact_stiffness * deepest / weights;
        const double damping = contact_damping * deepest / contact_margin / weights;
        return {strength * mean.force - damping * approach, strength * mean.torque};
    }

private:
    static const feeler_contact &contact_of(const feeler_contact &contact) { return contact; }
    static const feeler_contact &contact_of(const feeler_minimum &minimum) { return minimum.contact; }

    // Newton, metres, kilograms; all of them stable at 1 kHz for a body of this mass.
    static constexpr double mass = 0.06, inertia = 1.5e-4;
    static constexpr double coupling_stiffness = 2000, coupling_damping = 18, largest_force = 6;
    static constexpr double turning_stiffness = 2, turning_damping = 0.03, largest_torque = 0.3;
    static constexpr double contact_stiffness = 14000, contact_damping = 12;

    pose pose_, hand_;
    vec3 velocity_, spin_, push_;
};

} // namespace haptic

#endif
